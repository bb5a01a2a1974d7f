export interface BuildCoreOptions {
  target?: "release" | "debug";
  force?: boolean;
  root?: string;
}
export function isLate(name: string): boolean;
export function buildCore(options?: BuildCoreOptions): Promise<{ built: boolean }>;
export function namedCore(part?: "whole" | "first" | "rest", root?: string): Promise<Uint8Array>;
