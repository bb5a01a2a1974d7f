/** A value outside of React: components that show it follow it with `useStore`. */
import { useSyncExternalStore } from "react";

export class Store<T> {
  private value: T;
  private readonly followers = new Set<() => void>();

  constructor(value: T) {
    this.value = value;
  }

  readonly now = (): T => this.value;

  readonly set = (value: T): void => {
    if (value === this.value) return;
    this.value = value;
    for (const changed of this.followers) changed();
  };

  readonly follow = (changed: () => void): (() => void) => {
    this.followers.add(changed);
    return () => this.followers.delete(changed);
  };
}

export function useStore<T>({ follow, now }: Store<T>): T {
  return useSyncExternalStore(follow, now);
}
