// Binds a method to the files of a run.

interface TaskMaker {
    Task make(Plan plan, Tools tools) throws UnsupportedException;
}
