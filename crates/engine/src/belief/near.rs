//! What will be needed soon is asked for early. A large table is not in the processor's caches, and
//! a row would wait for the memory once for itself.

#[cfg(target_arch = "x86_64")]
use pulp::core_arch::x86::Sse;

/// So many rows before they are learned, the cells of a row are asked for.
pub const AHEAD: usize = 2;

/// Tables of fewer bytes are in the caches anyway.
const SMALLEST: usize = 1 << 19;

/// Asks for memory, on processors where that can be said in safe code. It changes no result.
pub struct Near {
    #[cfg(target_arch = "x86_64")]
    sse: Option<Sse>,
}

impl Near {
    /// For a table of so many bytes.
    pub fn of(bytes: usize) -> Self {
        #[cfg(target_arch = "x86_64")]
        return Near { sse: Sse::try_new().filter(|_| bytes >= SMALLEST) };
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = bytes >= SMALLEST;
            Near {}
        }
    }

    #[inline(always)]
    pub fn bring<'a, C: 'a>(&self, cells: impl Iterator<Item = &'a C>) {
        #[cfg(target_arch = "x86_64")]
        if let Some(sse) = self.sse {
            use std::arch::x86_64::_MM_HINT_T0;
            cells.for_each(|cell| {
                sse._mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cell).cast());
            });
        }
        #[cfg(not(target_arch = "x86_64"))]
        drop(cells);
    }
}
