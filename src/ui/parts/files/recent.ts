/**
 * Files that were dropped on the page or chosen before, as handles of the browser: names, sizes and the right to ask
 * for the files again, never their bytes. Only some browsers have handles; elsewhere nothing is kept.
 */
import type { InputFile } from "../../../worker/api.ts";
import { storage } from "../../primitives/panes/use-stored.ts";
import { SOURCE_NAME } from "../source/take-sources.ts";

/** Files that were opened together, the name and size of each. */
export interface RecentFiles {
  files: { name: string; size: number; handle: Handle }[];
}

/** The part of a handle that TypeScript's library does not have. */
type Handle = FileSystemFileHandle & {
  requestPermission?: (right: { mode: "read" }) => Promise<PermissionState>;
};

export type OpenedHandle = FileSystemHandle | Promise<FileSystemHandle | null> | undefined;

const [DATABASE, STORE, KEY] = ["spanflame", "recent", "files"];
const MOST_KEPT = 4;
/** More files are a folder's worth: nobody opens those by a button. */
const MOST_FILES = 5;

/** Rejects where the browser has no handles, or keeps nothing. */
export async function keepRecent(opened: readonly OpenedHandle[]): Promise<void> {
  const handles = await Promise.all(opened);
  if (handles.length === 0 || handles.length > MOST_FILES) return;
  const files = await Promise.all(
    handles.map(async (handle) => {
      if (handle?.kind !== "file") throw new Error("not a file");
      const { name, size } = await (handle as Handle).getFile();
      return { name, size, handle: handle as Handle };
    }),
  );
  // Source files are beside a recording: alone they open nothing.
  if (files.every(({ name }) => SOURCE_NAME.test(name))) return;
  const nameOf = (set: RecentFiles) => set.files.map(({ name, size }) => `${name} ${size}`).join("/");
  const others = (await recentFiles()).filter((set) => nameOf(set) !== nameOf({ files }));
  await inStore("readwrite", (store) => store.put([{ files }, ...others].slice(0, MOST_KEPT), KEY));
  storage.setItem("recent", "true");
}

export async function recentFiles(): Promise<RecentFiles[]> {
  return ((await inStore("readonly", (store) => store.get(KEY))) as RecentFiles[] | undefined) ?? [];
}

export async function forgetRecent(): Promise<void> {
  await inStore("readwrite", (store) => store.delete(KEY));
}

/** The files as they are now. Throws where the user does not allow it, or a file is gone. */
export async function openRecent({ files }: RecentFiles): Promise<InputFile[]> {
  const opened: InputFile[] = [];
  for (const { name, handle } of files) {
    if (((await handle.requestPermission?.({ mode: "read" })) ?? "granted") !== "granted")
      throw new Error(`The browser was not allowed to read ${name}.`);
    const blob = await handle.getFile().catch(() => {
      throw new Error(`${name} is not where it was.`);
    });
    opened.push({ name, blob });
  }
  // The first of the list from now on, with the sizes of today. The files are open without that, too.
  keepRecent(files.map(({ handle }) => handle)).catch(() => {});
  return opened;
}

async function inStore<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await answerOf(opening);
  try {
    return await answerOf(ask(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's storage failed"));
  });
}
