/**
 * Names of methods with a meaning for context: the JDK's, those in which a thread waits for its next task, and those in
 * which it waits for something else. Names are as in stacks: `java.lang.Thread.sleep`.
 */

/** Packages of the JDK; a method of any other package is code of the application or of its libraries. */
const JDK = /^(?:java|javax|jdk|sun|com\.sun)\./;

/** Methods in which a thread waits for its next task: a queue's, a pool's, or an event loop's. */
const NEXT_TASK = [
  /(?:Queue|Deque)\.(?:take|poll)(?:First|Last)?$/,
  /ThreadPoolExecutor\.getTask$/,
  /ForkJoinPool\.(?:awaitWork|awaitDone)$/,
  /Selector\w*\.(?:select|doSelect|poll|lockAndDoSelect)$/,
  /EventLoop\.(?:select|epollWait)$/,
];

/** Classes that read, write or connect, and the words in their methods that do. */
const IO_CLASSES =
  /^(?:java\.net\.|sun\.nio\.ch\.|sun\.nio\.fs\.|java\.io\.(?:File|RandomAccess|Unix)|java\.util\.zip\.ZipFile)/i;
const IO_WORDS = /(?:read|write|accept|connect|poll|wait|force|open|transfer|sync|recv|send|select)\w*$/i;

/** Those of files. */
const FILE_CLASSES =
  "^(?:java\\.io\\.|java\\.util\\.zip\\.ZipFile|sun\\.nio\\.fs\\.|sun\\.nio\\.ch\\.(?:File|UnixFile|SimpleAsynchronousFile))";

const SLEEP = /^java\.lang\.Thread\.sleep/;
const PARK = /^(?:jdk\.internal\.misc|sun\.misc)\.Unsafe\.park$/;
const WAIT = /^java\.lang\.Object\.wait/;

/** Methods in which a thread waits, by the state that a sample inside them is in. */
const WAITS: [state: "sleep" | "park" | "wait" | "io", pattern: RegExp][] = [
  ["sleep", SLEEP],
  ["park", PARK],
  ["wait", WAIT],
];

/** Patterns for frame filters, by the state that a thread with such a frame is in. */
export const WAIT_FRAMES = {
  sleep: SLEEP.source,
  park: PARK.source,
  wait: WAIT.source,
  io: `(?i:${IO_CLASSES.source}.*${IO_WORDS.source})`,
  /** The part of `io` that is about files. */
  file: `(?i:${FILE_CLASSES}.*${IO_WORDS.source})`,
} as const;

/** Longer names are no methods of these. */
const MOST_CHARACTERS = 512;

/** Whether a Java method is part of the JDK. */
export function isOfJdk(name: string): boolean {
  return JDK.test(name);
}

/** Whether a thread with this method in its stack waits for its next task. */
export function waitsForTask(name: string): boolean {
  return name.length <= MOST_CHARACTERS && NEXT_TASK.some((pattern) => pattern.test(name));
}

/** What a thread waits for in this Java method, the first of a stack; null if in nothing that is known. */
export function waitIn(name: string): "sleep" | "park" | "wait" | "io" | null {
  if (name.length > MOST_CHARACTERS) return null;
  const found = WAITS.find(([, pattern]) => pattern.test(name));
  if (found !== undefined) return found[0];
  const method = name.slice(name.lastIndexOf(".") + 1);
  return IO_CLASSES.test(name) && IO_WORDS.test(method) ? "io" : null;
}
