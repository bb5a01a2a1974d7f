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
