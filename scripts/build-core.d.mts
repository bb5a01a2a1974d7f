export interface BuildCoreOptions {
  target?: "release" | "debug";
  force?: boolean;
  root?: string;
}
export function isLate(name: string): boolean;
export function buildCore(options?: BuildCoreOptions): Promise<{ built: boolean }>;
