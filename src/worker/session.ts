/** The worker of the page: beside the graphs of the open recording (graph-session.ts), all other questions. */
import type { OpenRecording } from "../requests/open-recording.ts";
import type * as Api from "./api.ts";
import type { Result } from "./api.ts";
import { GraphSession } from "./graph-session.ts";

export class Session extends GraphSession {
  protected override readonly questions = async () => (await import("../requests/questions/page.ts")).PAGE;

  /** What these files are, of which some may be opened next. */
  kindsOf(files: Api.InputFile[]): Promise<Result<Api.KnownKind[]>> {
    return this.answer(() => this.known.kinds(files));
  }

  protected override prepare(recording: OpenRecording, onFailure: (error: unknown) => void): void {
    void recording.spans.prepare(() => this.recording === recording, onFailure);
  }

  /** Reports the reading of frames of calls for views, and null at its end. */
  watchFrames(onProgress: (progress: Api.FramesProgress | null) => void): void {
    this.recording?.calls?.watch(onProgress);
  }

  /** Ends the reading of frames; the questions that need them are refused with `calls.cancelled`. */
  cancelFrames(): void {
    this.recording?.calls?.samples.cancel();
  }
}
