export interface FoundBrowser {
  executablePath: string;
  args: string[];
  /** Where it comes from: an environment variable, "installed", a package or an installer. */
  from: string;
}
export interface BrowserPlace {
  from: string;
  /** Candidates; throws with the reason why there are none. */
  paths(): Promise<string[]>;
}
export interface FindBrowserOptions {
  places?: BrowserPlace[];
  /** Null when the browser starts, else why not. */
  launch?(executablePath: string, args: string[]): Promise<string | null>;
  log?(line: string): void;
}
export function browserArgs(uid?: number): string[];
export function defaultPlaces(env?: NodeJS.ProcessEnv, platform?: NodeJS.Platform): BrowserPlace[];
export function workersFor(browser: Pick<FoundBrowser, "from">): number;
export function findBrowser(options?: FindBrowserOptions): Promise<FoundBrowser>;
