import { useState } from "react";
import { visible } from "../../model/words/text.ts";
import css from "./AllowedHosts.module.css";
import { allowedHosts, forgetHosts, hostOf } from "./consent.ts";

/** Hosts that the page reads from without a question, and the way to forget them. */
export function AllowedHosts() {
  const [hosts, setHosts] = useState(allowedHosts);
  if (hosts.length === 0) return null;
  return (
    <div className={css.hosts} data-testid="allowed-hosts">
      <p>
        The page reads from these hosts without asking: <bdi>{visible(hosts.map(hostOf).join(", "), 1000)}</bdi>
      </p>
      <button
        type="button"
        data-testid="forget-hosts"
        onClick={() => {
          forgetHosts();
          setHosts([]);
        }}
      >
        Forget them
      </button>
    </div>
  );
}
