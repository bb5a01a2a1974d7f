export const NEEDED: [major: number, minor: number];
export function oldNode(version: string): string | null;
