/** Base name of a path, which may lead into an archive. */
export const baseName = (path: string) => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("!")) + 1);
