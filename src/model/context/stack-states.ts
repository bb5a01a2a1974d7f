/**
 * What a stack waits for: one table for the parts of a time, the sentence, findings, filters and inferred context. The
 * whole stack decides, by the first row that fits; a stack of no row is running, or in the state that the recorder
 * noted.
 *
 * Names are as in stacks, `java.lang.Thread.sleep`; `^` is the begin of a name and `$` its end, as in patterns. Without
 * them a name is looked for anywhere, because some recorders write the library before a function of native code.
 * Functions of the JVM tell what those of Java leave open: who waits in `Unsafe.park` waits for another thread, and who
 * waits below an allocation waits for the collector. The table has functions of Go, too, because the stacks of its
 * profiles of waits have no state.
 *
 *   lock     entering a monitor that another thread holds
 *   idle     a thread without work: of a pool, a selector, an acceptor, a timer, or of the JVM
 *   sleep    Thread.sleep
 *   wait     Object.wait
 *   park     Unsafe.park: locks of java.util.concurrent, results of other threads, queues
 *   socket   reading, writing, connecting; before `file`, because sockets of JDK 11 to 20 use FileDispatcherImpl
 *   file     reading, writing, forcing
 *   gc       stopped at a safepoint, or waiting for a collection that an allocation asked for
 *   unknown  waiting in the JVM for something else
 */
import { plainPattern } from "../../pattern/plain.ts";
import { partPattern } from "../query/pattern.ts";

export type StackState = "lock" | "idle" | "sleep" | "wait" | "park" | "socket" | "file" | "gc" | "unknown";

/** Stacks with a function of `any`, and one of `and`, but none of `unless`. */
interface Row {
  state: StackState;
  any: string;
  and?: string;
  unless?: string;
  /** The functions that no stack of a later row has: those of `any`, except where they alone do not decide. */
  alone?: string;
}

/** The pattern of some names. It has no operator but `^`, `$` and `|`, so it needs no engine. */
export function namesPattern(...names: string[]): string {
  return names
    .map((name) => {
      const [, begin = "", text = "", end = ""] = /^(\^?)(.*?)(\$?)$/s.exec(name) ?? [];
      return begin + partPattern(text) + end;
    })
    .join("|");
}

/** Methods of a class: `of("java.io.", "read")` are those whose names begin so. */
const of = (owner: string, ...names: string[]) => names.map((name) => `^${owner}${name}`);

const SELECT = namesPattern(
  "epoll_wait",
  "epoll_pwait",
  "^sun.nio.ch.EPoll.wait$",
  "^sun.nio.ch.EPollArrayWrapper.epollWait$",
  "^sun.nio.ch.KQueue.poll$",
  "^sun.nio.ch.WEPoll.wait$",
  ...of("io.netty.channel.epoll.Native.", "epollWait", "epollBusyWait"),
  "^io.netty.channel.kqueue.Native.keventWait",
);

/** Functions in which a thread of a pool waits for its next task. */
const POOLS = namesPattern(
  "ThreadPoolExecutor.getTask$",
  "ForkJoinPool.awaitWork$",
  ...of("org.eclipse.jetty.util.thread.", "QueuedThreadPool.idleJobPoll", "ReservedThreadExecutor$ReservedThread.res"),
  "^io.netty.util.concurrent.SingleThreadEventExecutor.takeTask",
);

/** Functions in which service threads wait: timers, reference queues, acceptors, file watchers. */
const SERVICES = namesPattern(
  "^io.netty.util.HashedWheelTimer$Worker.waitForNextTick$",
  ...of("java.lang.ref.", "ReferenceQueue.remove", "Reference.waitForReferencePendingList", "NativeReferenceQueue.rem"),
  ...of("java.net.", "ServerSocket.accept", "ServerSocket.implAccept"),
  ...of("sun.nio.ch.", "Net.accept", "ServerSocketChannelImpl.accept", "NioSocketImpl.accept"),
  ...of("sun.nio.fs.", "AbstractWatchService.take", "AbstractWatchService.poll", "LinuxWatchService.poll"),
  "^java.lang.ProcessHandleImpl.waitForProcessExit0$",
);

/** Threads of the JVM that have nothing to do. */
const JVM_THREADS = namesPattern(
  "WatcherThread::sleep",
  "CompileQueue::get",
  "G1ServiceThread::sleep_before_next_cycle",
  "G1ServiceThread::wait_for_task",
  "G1ConcurrentMarkThread::sleep_before_next_cycle",
  "G1ConcurrentMarkThread::wait_for_next_cycle",
  "ConcurrentRefineThread::wait_for_completed_buffers",
  "MonitorDeflationThread::monitor_deflation_thread_entry",
  "ServiceThread::service_thread_entry",
  "NotificationThread::notification_thread_entry",
  "VMThread::wait_for_operation",
  "AttachListener::dequeue",
  "NMethodSweeper::sweeper_loop",
  "recorderthread_entry",
  "Profiler::timerLoop",
  "JVM_WaitForReferencePendingList",
  "PosixSemaphore::wait",
  "CallJavaMainInNewThread",
);

const IDLE = [SELECT, POOLS, SERVICES, JVM_THREADS].join("|");
const WAIT = namesPattern(
  ...["^java.lang.Object.wait", "JVM_MonitorWait", "ObjectMonitor::wait"],
  ...of("sync.", "(*Cond).Wait", "(*WaitGroup).Wait"),
);
/** A timer runs its tasks in the loop in which it waits for the next one. */
const TIMER = namesPattern("^java.util.TimerThread.mainLoop");

/** In the order in which they are asked. */
const ROWS: readonly Row[] = [
  {
    state: "lock",
    any: namesPattern(
      ...["ObjectMonitor::enter", "ObjectMonitor::EnterI"],
      ...of("sync.", "(*Mutex).Lock", "(*RWMutex).Lock", "(*RWMutex).RLock", "(*Once).doSlow"),
    ),
  },
  { state: "idle", any: `${IDLE}|${WAIT}`, and: `${IDLE}|${TIMER}`, alone: IDLE },
  {
    state: "socket",
    any: namesPattern(
      ...of("java.net.", "Socket", "PlainSocketImpl.", "AbstractPlainSocketImpl.", "DualStackPlainSocketImpl."),
      ...of("java.net.", "Inet4AddressImpl.lookup", "Inet6AddressImpl.lookup", "DatagramSocket.", "PlainDatagram"),
      ...of("sun.nio.ch.", "NioSocketImpl.", "Socket", "Datagram", "UnixDomainSockets.", "Net.poll", "Net.connect"),
      ...of("sun.nio.ch.", "UnixAsynchronousSocketChannelImpl."),
      ...of("io.netty.channel.unix.", "Socket.", "FileDescriptor."),
      "^jdk.internal.net.http.HttpClientFacade.send$",
      ...of("net.", "(*netFD).", "(*conn).", "(*Resolver).", "(*sysDialer)."),
    ),
  },
  { state: "sleep", any: namesPattern("^java.lang.Thread.sleep", "JVM_Sleep", "^time.Sleep$") },
  { state: "wait", any: WAIT, unless: TIMER },
  {
    state: "park",
    any: namesPattern(
      ...["^jdk.internal.misc.Unsafe.park$", "^sun.misc.Unsafe.park$", "Unsafe_Park", "Parker::park"],
      ...of("runtime.", "chanrecv", "chansend", "selectgo"),
    ),
  },
  {
    state: "file",
    any: namesPattern(
      ...of("java.io.", "FileInputStream.", "FileOutputStream.", "RandomAccessFile.", "FileDescriptor.sync"),
      ...of("java.util.zip.ZipFile.", "open", "read"),
      ...of("sun.nio.ch.", "FileChannelImpl.", "FileDispatcherImpl.", "UnixFileDispatcherImpl."),
      ...of("sun.nio.ch.", "SimpleAsynchronousFileChannelImpl."),
      ...["open", "read", "write"].flatMap((name) =>
        of("sun.nio.fs.", `UnixNativeDispatcher.${name}`, `WindowsNativeDispatcher.${name}`),
      ),
      ...of("os.", "(*File).", "ReadFile", "WriteFile", "OpenFile"),
    ),
  },
  {
    state: "gc",
    any: namesPattern(
      "SafepointSynchronize::block",
      "SuspendibleThreadSet::",
      "G1CollectedHeap::attempt_allocation_slow",
      "G1CollectedHeap::attempt_allocation_humongous",
      "G1CollectedHeap::do_collection_pause",
      "G1CollectedHeap::try_collect",
      "CollectedHeap::collect",
      "::mem_allocate_work",
      "ParallelScavengeHeap::mem_allocate",
      "ShenandoahControlThread::handle_alloc_failure",
      "ShenandoahController::handle_alloc_failure",
      "ShenandoahPacer::pace_for_alloc",
      "ZPageAllocator::alloc_page_stall",
      "ZPageAllocator::claim_capacity_or_stall",
      "GCLocker::stall_until_clear",
    ),
  },
  { state: "unknown", any: namesPattern("Monitor::wait", "VMThread::execute") },
];

/** Functions in which a thread waits for its next task; also one that an application gives to itself. */
const NEXT_TASK = [
  SELECT,
  POOLS,
  namesPattern(
    ...["take", "poll", "takeFirst", "pollFirst", "takeLast", "pollLast"].flatMap((name) => [
      `Queue.${name}$`,
      `Deque.${name}$`,
    ]),
    "ForkJoinPool.awaitDone$",
    ...["select", "doSelect", "poll", "lockAndDoSelect"].flatMap((name) => [
      `Selector.${name}$`,
      `SelectorImpl.${name}$`,
      `SelectionKeySetSelector.${name}$`,
    ]),
    "EventLoop.select$",
    "EventLoop.epollWait$",
  ),
].join("|");

/** The states, in the order in which they are asked. */
export const STACK_STATES: readonly StackState[] = ROWS.map(({ state }) => state);

interface FramePattern {
  pattern: string;
  exclude?: boolean;
}

/** A thread waits in one of these at a time. */
const ONE_OF: ReadonlySet<StackState | null> = new Set(["sleep", "wait", "park"]);

/**
 * The frame filters that select the stacks of a state, or for null those of no row, among stacks of some states: they
 * leave out those that an earlier row takes.
 */
export function framesOf(state: StackState | null, among: readonly StackState[] = STACK_STATES): FramePattern[] {
  const at = state === null ? ROWS.length : ROWS.findIndex((row) => row.state === state);
  const earlier = ROWS.slice(0, at).filter(
    (row) => among.includes(row.state) && !(ONE_OF.has(state) && ONE_OF.has(row.state)),
  );
  const row = ROWS[at];
  const own = [row?.any, row?.and].flatMap((pattern) => (pattern === undefined ? [] : [{ pattern }]));
  const unless = row?.unless !== undefined && among.includes("idle") ? [row.unless] : [];
  const others = [...unless, ...earlier.map(({ any, alone = any }) => alone)];
  return [...own, ...others.map((pattern) => ({ pattern, exclude: true }))];
}

/** A stack rule for the stacks of a state. */
export function ruleOf(state: StackState): { any: string; unless: string } {
  const [own, ...frames] = framesOf(state);
  const unless = frames.filter(({ exclude }) => exclude).map(({ pattern }) => pattern);
  return { any: own?.pattern ?? "", unless: unless.join("|") };
}

/** Functions of the table by state, for people. */
export function stateNames(): { state: StackState; names: string; and: string }[] {
  return ROWS.map(({ state, any, alone = any, and }) => {
    const both =
      and === undefined ? "" : [...and.split("|")].filter((name) => !alone.split("|").includes(name)).join("|");
    return { state, names: alone, and: both };
  });
}

/** Longer names are no functions of the table. */
const MOST_CHARACTERS = 512;
const FINDERS = ROWS.flatMap(({ any, and, unless }) => [any, and, unless]).map((pattern) =>
  pattern === undefined ? null : plainPattern(pattern, false),
);
const nextTask = plainPattern(NEXT_TASK, false);

/** What the table says about a function: the bits of a stack are those of its functions together. */
export function bitsOf(name: string): number {
  if (name.length > MOST_CHARACTERS) return 0;
  return FINDERS.reduce((bits, finder, i) => (finder?.test(name) ? bits | (1 << i) : bits), 0);
}

/** The state of a stack by the bits of its functions; null for one that waits in nothing that is known. */
export function stateOfBits(bits: number): StackState | null {
  if (bits === 0) return null;
  const has = (i: number) => (bits & (1 << i)) !== 0;
  return (
    ROWS.find(({ and }, i) => has(3 * i) && (and === undefined || has(3 * i + 1)) && !has(3 * i + 2))?.state ?? null
  );
}

/** Whether a thread with this method in its stack waits for its next task. */
export function waitsForTask(name: string): boolean {
  return name.length <= MOST_CHARACTERS && nextTask?.test(name) === true;
}
