import os
import threading


class Store:
    def look(self, path):
        for _ in range(12):
            os.stat(path)  # METHOD

    def work(self):
        for _ in range(12):
            os.stat("thread")  # THREAD


def größe(path):
    for _ in range(12):
        os.stat(path)  # NAME


def over_lines():
    for _ in range(12):
        print(
            "",
            os.stat(  # LINES
                "lines"
            ).st_size, end="", file=open(os.devnull, "w"))


def main():
    Store().look("method")
    größe("name")
    thread = threading.Thread(target=Store().work)
    thread.start()
    thread.join()
    over_lines()
    for _ in range(12):
        os.path.exists("library")  # LIBRARY
    child = os.fork()
    if child == 0:
        for _ in range(12):
            os.stat("child")  # CHILD
        os._exit(0)
    os.waitpid(child, 0)


main()
