export interface Site {
  /** With a slash at the end. */
  url: string;
  close(): Promise<void>;
}

export function serve(options: { recording: string; port?: number; site?: string }): Promise<Site>;
