import { useState } from "react";
import { SHORTCUTS } from "../../../model/words/shortcuts.ts";
import { visible } from "../../../model/words/text.ts";
import { allowedHosts, forgetHosts, hostOf } from "../../parts/consent/hosts.ts";
import { Dialog, type DialogProps } from "../../primitives/dialog/Dialog.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import css from "./ShortcutsDialog.module.css";

/** What the keyboard does, by where the focus is. */
export function ShortcutsDialog({ open, onClose }: DialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard" testId="shortcuts-dialog">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do */}
      <div className={css.groups} tabIndex={0}>
        {SHORTCUTS.map(({ where, keys }) => (
          <section key={where}>
            <h3 className={css.where}>{where}</h3>
            <dl className={css.keys}>
              {keys.map(([combinations, does]) => (
                <div key={does}>
                  <dt>
                    {combinations.map((combination) => (
                      <kbd key={combination}>{combination}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      {open && <AllowedHosts />}
      <div className={css.footer}>
        <a href="THIRD-PARTY-NOTICES.txt" target="_blank" rel="noreferrer">
          Third-party licences
        </a>
        <Button data-first onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

/** Hosts that the page reads from without a question, and the way to forget them. */
function AllowedHosts() {
  const [hosts, setHosts] = useState(allowedHosts);
  if (hosts.length === 0) return null;
  return (
    <div className={css.hosts} data-testid="allowed-hosts">
      <p>
        The page reads from these hosts without asking: <bdi>{visible(hosts.map(hostOf).join(", "), 1000)}</bdi>
      </p>
      <Button
        testId="forget-hosts"
        onClick={() => {
          forgetHosts();
          setHosts([]);
        }}
      >
        Forget them
      </Button>
    </div>
  );
}
