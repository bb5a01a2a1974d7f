/**
 * Error boundary: an exception in a part of the page shows a panel in its place. The files, the worker and all other
 * parts stay. React has no hook for this, so it is a class.
 */

import { Component, type ReactNode } from "react";
import { visible } from "../../../model/words/text.ts";
import css from "../../shell/messages/Messages.module.css";
import { Button } from "../icon/Icon.tsx";

interface Props {
  /** The part, as the first words of a sentence: "The flame graph". */
  what: string;
  /** Draws the part again when it changes; compared by identity. */
  resetOn?: unknown;
  /** Reverts the change that the part may have failed on; absent if there is no such change. */
  onReset?: (() => void) | undefined;
  /** Around the panel. */
  frame?: (panel: ReactNode) => ReactNode;
  children: ReactNode;
}

interface State {
  failed: { reason: string } | null;
  /** `resetOn` of the last attempt. */
  tried: unknown;
}

const LONGEST_REASON = 500;

export class Boundary extends Component<Props, State> {
  override state: State = { failed: null, tried: this.props.resetOn };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: { reason: error instanceof Error ? error.message : String(error) } };
  }

  static getDerivedStateFromProps({ resetOn }: Props, { tried }: State): Partial<State> | null {
    return resetOn === tried ? null : { failed: null, tried: resetOn };
  }

  private readonly retry = () => this.setState({ failed: null });

  private readonly reset = () => {
    this.props.onReset?.();
    this.retry();
  };

  override render(): ReactNode {
    const { what, onReset, frame = (panel) => panel, children } = this.props;
    const { failed } = this.state;
    if (failed === null) return children;
    return frame(
      <section className={`${css.failure} ${css.crashed}`} tabIndex={-1} aria-label="Problem" data-testid="crashed">
        <div role="alert">
          <h2 className={css.title}>{what} could not be shown</h2>
          <p className={css.text}>{visible(failed.reason, LONGEST_REASON)}</p>
        </div>
        <p className={css.advice}>The files are still in this page. Try again, or reset the filters and the search.</p>
        <div className={css.actions}>
          <Button testId="crashed-retry" onClick={this.retry}>
            Try again
          </Button>
          {onReset !== undefined && (
            <Button testId="crashed-reset" onClick={this.reset}>
              Reset filters
            </Button>
          )}
        </div>
      </section>,
    );
  }
}
