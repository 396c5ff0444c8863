//! Files that are there as a whole or not at all.

use super::Problem;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

const LINKS: usize = 40;

/// Writes a file under another name in its folder and gives it its own when all of it is on the
/// disk. Whenever that ends, the old file is there or the new one is. A link is followed; what is
/// there and is not a file, as `/dev/null`, is written into.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let path = behind_links(path);
    let old = fs::metadata(&path).ok();
    if let Some(old) = &old {
        if old.is_dir() {
            return Err(Problem::Folder);
        }
        if !old.is_file() {
            return fill(&mut OpenOptions::new().write(true).open(&path)?, write);
        }
    }
    if path.file_name().is_none() {
        return Err(Problem::NoName);
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(Problem::NoFolder(folder.to_path_buf()));
    }
    let mut unfinished = beside(folder, old.as_ref())?;
    fill(unfinished.as_file_mut(), write)?;
    unfinished.as_file().sync_all()?;
    unfinished.persist(&path).map_err(|error| error.error)?;
    sync_folder(folder)
}

fn fill(
    file: &mut File,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut buffered = BufWriter::with_capacity(1 << 20, file);
    write(&mut buffered)?;
    Ok(buffered.flush()?)
}

fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

/// An empty file that goes away by itself unless it is kept. It may be read by whom the old one
/// could be, and without an old one by whom any new file can be.
fn beside(folder: &Path, old: Option<&Metadata>) -> Result<NamedTempFile, Problem> {
    let mut builder = Builder::new();
    builder.prefix(".lapwing-").suffix(".unfinished");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let unfinished = builder.tempfile_in(folder)?;
    if let Some(old) = old {
        unfinished.as_file().set_permissions(old.permissions())?;
    }
    Ok(unfinished)
}

/// The name is in the folder, so the folder has to be on the disk too.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> Result<(), Problem> {
    // A folder that may be written and not read cannot be synced.
    match File::open(folder) {
        Ok(folder) => Ok(folder.sync_all()?),
        Err(_) => Ok(()),
    }
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> Result<(), Problem> {
    Ok(())
}
