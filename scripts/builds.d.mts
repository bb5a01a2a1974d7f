export function isBuildStale(name: string): boolean;
