"""Models are shared between threads: predicting goes on while learning does."""

import threading

import numpy as np

import lapwing


def test_predicting_while_learning_is_finite_and_changes_nothing():
    X, y, _ = lapwing.synthetic.RandomStream(seed=4).draw(200_000)
    alone, watched = lapwing.Model(), lapwing.Model()
    alone.learn(X, y)
    done = threading.Event()
    seen = []

    def watch():
        while not done.is_set():
            p = watched.predict(X[:50])
            seen.append(bool(np.all((p > 0) & (p < 1))))

    threads = [threading.Thread(target=watch) for _ in range(3)]
    for thread in threads:
        thread.start()
    watched.learn(X, y)
    done.set()
    for thread in threads:
        thread.join()
    assert seen
    assert all(seen)
    assert watched.mean.tobytes() == alone.mean.tobytes()


def test_two_threads_that_learn_take_turns():
    X, y, _ = lapwing.synthetic.RandomStream(seed=5).draw(20_000)
    model = lapwing.Model()
    threads = [threading.Thread(target=model.learn, args=(X, y)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = lapwing.Model()
    for _ in range(4):
        expected.learn(X, y)
    assert model.rows_learned == 80_000
    assert model.mean.tobytes() == expected.mean.tobytes()
