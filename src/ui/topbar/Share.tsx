import { Share2 } from "lucide-react";
import { useState } from "react";
import { visible } from "../../model/words/text.ts";
import { settleAddress } from "../app/address.ts";
import { copyText } from "../clipboard/copy-text.ts";
import { Icon } from "../icon/Icon.tsx";
import { Popover } from "../popover/Popover.tsx";
import css from "./Share.module.css";

const SAID = { no: "", yes: "Copied.", failed: "The browser did not allow it: copy the address from its bar." };

/** The address of what is on screen. It says what to look at, and never has any of the recording in it. */
export function Share({ names }: { names: string[] }) {
  return (
    <Popover label={<Icon of={Share2} />} look="icon" name="Share" title="Share" testId="share">
      {() => <SharePanel names={names} />}
    </Popover>
  );
}

function SharePanel({ names }: { names: string[] }) {
  const [copied, setCopied] = useState<keyof typeof SAID>("no");
  const onThisMachine = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  const opensItself = /[?&](url=|sample)/.test(location.search);
  const files = names.map((name) => visible(name, 60)).join(", ");
  return (
    <div className={css.share}>
      <p>The address holds all that was chosen: profile, filters, view and zoom.</p>
      {opensItself ? (
        <p>It names the recording as well, and opens it.</p>
      ) : (
        <p>
          It does not hold the recording: who opens it drops <bdi>{files}</bdi> on the page, too.
        </p>
      )}
      {onThisMachine && <p>This page is served on this machine only; elsewhere what follows the # does the same.</p>}
      <p>
        <button
          type="button"
          data-testid="share-copy"
          data-first
          onClick={() => {
            settleAddress();
            void copyText(location.href).then((done) => setCopied(done ? "yes" : "failed"));
          }}
        >
          Copy the address
        </button>{" "}
        <span role="status">{SAID[copied]}</span>
      </p>
      <p>Export gives the samples themselves, or a report that opens by itself.</p>
    </div>
  );
}
