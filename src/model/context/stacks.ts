/** Facts of stacks that the rules ask for, each computed once. */
import type { StackMethods } from "../../core/samples/stack-methods.ts";
import { waitsForTask } from "./stack-states.ts";

/** What parks a thread, up to the method of the lock that was called. */
const LOCK = /^(?:java\.util\.concurrent\.locks|jdk\.internal|sun\.misc|java\.lang\.VirtualThread)\./;
/** Packages of the JDK; a method of any other package is code of the application or of its libraries. */
const JDK = /^(?:java|javax|jdk|sun|com\.sun)\./;

export class Stacks {
  private readonly methods: StackMethods;
  private readonly idle = new Map<number, boolean>();
  private readonly codes = new Map<number, number>();
  private readonly waits = new Map<number, boolean>();
  private readonly ofJdk = new Map<number, boolean>();
  private readonly takers = new Map<number, number>();
  private readonly ofLock = new Map<number, boolean>();

  constructor(methods: StackMethods) {
    this.methods = methods;
  }

  /** Whether the thread waits for its next task (rule 0). */
  isIdle(stack: number): boolean {
    return kept(this.idle, stack, () => this.methods.find(stack, (name) => this.isWait(name)));
  }

  /** The method nearest to the leaf that is not the JDK's; 0 without one. */
  code(stack: number): number {
    return kept(this.codes, stack, () => {
      let code = 0;
      this.methods.find(stack, (name, isJava) => {
        if (isJava && !this.isOfJdk(name)) code = name;
        return code !== 0;
      });
      return code;
    });
  }

  /** The method that takes the lock at the leaf; 0 without one, and for one of the JDK, which holds it too briefly. */
  taker(stack: number): number {
    return kept(this.takers, stack, () => {
      let taker = 0;
      let isParked = false;
      this.methods.find(stack, (name, isJava) => {
        if (this.isOfLock(name)) {
          isParked = true;
          return false;
        }
        taker = isParked && isJava && !this.isOfJdk(name) ? name : 0;
        return true;
      });
      return taker;
    });
  }

  private isOfLock(name: number): boolean {
    return kept(this.ofLock, name, () => LOCK.test(this.methods.text(name)));
  }

  contains(stack: number, wanted: number): boolean {
    return this.methods.find(stack, (name) => name === wanted);
  }

  private isWait(name: number): boolean {
    return kept(this.waits, name, () => waitsForTask(this.methods.text(name)));
  }

  private isOfJdk(name: number): boolean {
    return kept(this.ofJdk, name, () => JDK.test(this.methods.text(name)));
  }
}

function kept<T>(known: Map<number, T>, key: number, make: () => T): T {
  const value = known.get(key);
  if (value !== undefined) return value;
  const made = make();
  known.set(key, made);
  return made;
}
