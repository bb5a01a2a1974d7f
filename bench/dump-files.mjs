/**
 * Generator of a Cloud Profiler dump: one JVM with 60 threads for a day, a call for about each kilobyte. A call walks
 * through the tree of its endpoint, a hundred frames of two hundred nodes, and has statements of SQL and the tags that
 * agents write at its end. Files rotate as an agent rotates them. Made
 * once for each size, kept in .cache/bench, always identical.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const THREADS = 60;
const ENDPOINTS = 40;
/** Nodes of the tree of an endpoint. */
const NODES = 200;
const DEPTH = 25;
const METHODS = 2000;
const STATEMENTS = 3000;
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 5);
/** Bytes of a block, roughly, and of files before they rotate. */
const BLOCK = 3000;
const ROTATION = { trace: 100_000_000, calls: 10_000_000, sql: 100_000_000 };

/** Numbers below `n`, the same in every run (a linear congruential generator, its high bits). */
function numbers(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Bytes of a file of a stream. */
class Bytes {
  data = new Uint8Array(1 << 20);
  at = 0;

  need(n) {
    if (this.at + n <= this.data.length) return;
    const larger = new Uint8Array(2 * this.data.length + n);
    larger.set(this.data.subarray(0, this.at));
    this.data = larger;
  }

  byte(value) {
    this.need(1);
    this.data[this.at++] = value;
  }

  int(value) {
    for (const shift of [24, 16, 8, 0]) this.byte((value >>> shift) & 0xff);
  }

  long(value) {
    this.int(Math.floor(value / 2 ** 32));
    this.int(value >>> 0);
  }

  varint(value) {
    this.need(5);
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.data[this.at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.data[this.at++] = rest;
  }

  string(text) {
    this.varint(text.length);
    this.need(2 * text.length);
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      this.data[this.at++] = unit >> 8;
      this.data[this.at++] = unit & 0xff;
    }
  }
}

/** Files of one stream: `next` begins a file when the current one is full. */
class Stream {
  index = 0;
  file = null;

  constructor(folder, name, head, isPacked) {
    this.folder = join(folder, name);
    this.most = ROTATION[name] ?? Number.POSITIVE_INFINITY;
    this.head = head;
    this.isPacked = isPacked;
    this.bytes = 0;
    mkdirSync(this.folder, { recursive: true });
  }

  next() {
    if (this.file !== null && this.file.at < this.most) return this.file;
    this.end();
    this.index++;
    this.file = new Bytes();
    this.head(this.file);
    return this.file;
  }

  end() {
    if (this.file === null) return;
    const bytes = this.file.data.subarray(0, this.file.at);
    this.bytes += bytes.length;
    const path = join(this.folder, String(this.index).padStart(6, "0"));
    if (this.isPacked) writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 1 }));
    else writeFileSync(path, bytes);
    this.file = null;
  }
}

const WORDS = [
  "call.info",
  "common.started",
  "node.name",
  "java.thread",
  "time.cpu",
  "memory.allocated",
  "web.url",
  "sql",
];
const [CALL_INFO, STARTED, NODE, THREAD, CPU, MEMORY, URL_WORD, SQL] = WORDS.keys();

function methodText(i) {
  const pack = ["com.shop.cart", "com.shop.api", "org.hibernate.engine", "io.netty.channel"][i % 4];
  return `void ${pack}.Class${i % 300}.method${i}(java.lang.String,int) (Class${i % 300}.java:${10 + (i % 400)}) [lib/shop-${i % 40}.jar]`;
}

/** The methods of an endpoint and what they call: node 0 is its root. */
function endpointOf(endpoint, below) {
  const nodes = [{ method: endpoint, depth: 1, children: [] }];
  while (nodes.length < NODES) {
    // Mostly below one of the newest, so that the tree is deep.
    const parent = below(10) < 7 ? Math.max(0, nodes.length - 1 - below(6)) : below(nodes.length);
    if (nodes[parent].depth >= DEPTH) continue;
    nodes[parent].children.push(nodes.length);
    nodes.push({ method: ENDPOINTS + below(METHODS - ENDPOINTS), depth: nodes[parent].depth + 1, children: [] });
  }
  return nodes;
}

/** Writes a dump of about `megabytes` unpacked into `folder`; the answer is its content. */
function writeDump(folder, megabytes, isPacked) {
  const below = numbers(20_260_105);
  const stream = (name, head = () => {}) => new Stream(folder, name, head, isPacked);
  const trace = stream("trace", (file) => file.long(START));
  let before = START;
  let named = new Map();
  const calls = stream("calls", (file) => {
    file.int(0xfffefdfc);
    file.int(4);
    file.long(START);
    before = START;
    named = new Map();
  });
  const sql = stream("sql");
  const places = Array.from({ length: STATEMENTS }, (_, i) => {
    const file = sql.next();
    const place = [sql.index, file.at];
    file.string(
      `select item, price, stock from shop_item_${i % 200} where id = ? and tenant = 't${i}' order by ${i % 9}`,
    );
    return place;
  });
  const endpoints = Array.from({ length: ENDPOINTS }, (_, i) => endpointOf(i, below));
  const threads = Array.from({ length: THREADS }, (_, i) => ({
    id: i + 1,
    name: `http-nio-8080-exec-${i}`,
    now: START + below(1000),
    open: [],
    root: null,
    endpoint: endpoints[0],
  }));
  const total = { calls: 0, frames: 0, events: 0 };
  const idle = Math.max(1, Math.floor((2 * DAY * THREADS) / (megabytes * 1000)));

  /** The next event of a thread. */
  const step = (thread, file, block) => {
    const delta = thread.now - block.time;
    block.time = thread.now;
    const ordinal = block.ordinal++;
    total.events++;
    const head = (kind) => {
      const isLong = delta > 31;
      file.byte(kind | ((delta & 31) << 2) | (isLong ? 0x80 : 0));
      if (isLong) file.varint(delta >>> 5);
    };
    const { open } = thread;
    if (open.length === 0) {
      thread.root = {
        key: [trace.index, block.offset, ordinal],
        at: thread.now,
        frames: 0,
        left: 40 + below(120),
        tags: -1,
      };
      thread.endpoint = endpoints[below(ENDPOINTS)];
    }
    const { root } = thread;
    if (root.tags >= 0) {
      // The tags at the end of a root, then its exit.
      if (root.tags === 7) {
        head(1);
        open.pop();
        endCall(thread);
        return;
      }
      head(2);
      const [word, text] = [
        [CALL_INFO, ""],
        [STARTED, String(root.at)],
        [NODE, "shop-7c9f8d-x2kq4"],
        [THREAD, thread.name],
        [CPU, String(below(500))],
        [MEMORY, String(below(10_000_000))],
        [URL_WORD, `/shop/item/${below(5000)}?colour=${below(9)}&size=${below(9)}&page=${below(90)}&from=mail`],
      ][root.tags++];
      file.varint(word);
      file.byte(0);
      file.string(text);
      return;
    }
    if (root.wantsSql) {
      root.wantsSql = false;
      head(2);
      const [index, offset] = places[below(STATEMENTS)];
      file.varint(SQL);
      file.byte(3);
      file.varint(index);
      file.varint(offset);
      return;
    }
    const { endpoint } = thread;
    const { children } = endpoint[open.at(-1) ?? 0];
    const goesDown = children.length > 0 && (open.length === 1 || below(100) < 65);
    if (open.length === 0 || (root.left > 0 && goesDown)) {
      head(0);
      const node = open.length === 0 ? 0 : children[below(children.length)];
      file.varint(WORDS.length + endpoint[node].method);
      open.push(node);
      root.frames++;
      root.left--;
      root.wantsSql = open.length > 3 && below(12) === 0;
      total.frames++;
    } else if (open.length > 1) {
      head(1);
      open.pop();
    } else {
      root.tags = 0;
      root.method = endpoint[0].method;
      block.ordinal--;
      total.events--;
      block.time -= delta;
      step(thread, file, block);
      return;
    }
    if (below(3) === 0) thread.now += below(100) < 97 ? below(6) : below(400);
  };

  const endCall = (thread) => {
    const { root } = thread;
    const file = calls.next();
    const delta = root.at - before;
    before = root.at;
    file.varint((delta << 1) ^ (delta >> 31));
    file.varint(WORDS.length + root.method);
    file.varint(thread.now - root.at);
    file.varint(root.frames);
    const known = named.get(thread.name);
    file.varint(known ?? named.size);
    if (known === undefined) {
      named.set(thread.name, named.size);
      file.string(thread.name);
    }
    for (const value of [below(2000), below(200), ...root.key]) file.varint(value);
    for (const value of [below(500), below(50), below(10_000_000), below(9000), 0, below(90_000), below(9000)])
      file.varint(value);
    file.varint(below(9));
    file.varint(below(5));
    file.varint(1);
    file.varint(URL_WORD);
    file.varint(1);
    file.string(`/shop/item/${below(5000)}`);
    total.calls++;
    thread.now += below(idle);
  };

  for (let turn = 0; trace.bytes + (trace.file?.at ?? 0) < megabytes * 880_000; turn++) {
    const thread = threads[turn % THREADS];
    const file = trace.next();
    const block = { offset: file.at, ordinal: 0, time: START };
    file.long(thread.id);
    file.long(thread.now);
    while (file.at - block.offset < BLOCK) step(thread, file, block);
    file.byte(3);
  }
  const dictionary = stream("dictionary");
  for (const word of WORDS) dictionary.next().string(word);
  for (let i = 0; i < METHODS; i++) dictionary.next().string(methodText(i));
  const suspend = stream("suspend", (file) => file.long(START));
  const last = Math.max(...threads.map(({ now }) => now));
  for (let at = START; at < last; ) {
    const delta = 500 + below(20_000);
    at += delta;
    suspend.next().varint(delta);
    suspend.next().varint(5 + below(60));
  }
  const all = [trace, calls, sql, dictionary, suspend];
  for (const each of all) each.end();
  return {
    ...total,
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    trace: trace.bytes,
    callBytes: calls.bytes,
  };
}

/** Folder of a dump of this size, which is made if it is not there. */
export function dumpOf(megabytes, isPacked) {
  const name = `dump-${megabytes}${isPacked ? "-gz" : ""}`;
  const base = fileURLToPath(new URL(`../.cache/bench/${name}`, import.meta.url));
  const done = join(base, "done");
  if (!existsSync(done)) {
    rmSync(base, { recursive: true, force: true });
    const folder = join(base, `dump/shop/2026/01/05/${START}`);
    const content = writeDump(folder, megabytes, isPacked);
    writeFileSync(done, JSON.stringify(content));
  }
  return { folder: join(base, "dump"), done };
}
