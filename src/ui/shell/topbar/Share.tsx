import { Copy, FileText, Link, Share2 } from "lucide-react";
import { useState } from "react";
import { exportName, firstChoice } from "../../../model/query/written/export-choice.ts";
import { deepLinks, RECORDING } from "../../../model/words/deep-links.ts";
import { visible } from "../../../model/words/text.ts";
import type { InputFile } from "../../../worker/api.ts";
import type { ExportJob } from "../../parts/export/job.ts";
import { saveBlob } from "../../parts/export/save-blob.ts";
import { copyText } from "../../primitives/clipboard/copy-text.ts";
import { Button, Icon, IconButton } from "../../primitives/icon/Icon.tsx";
import { Popover } from "../../primitives/popover/Popover.tsx";
import { settleAddress, textsOf, withFiles } from "../recording/address.ts";
import css from "./Share.module.css";

/** The button "Share" and its panel. */
export function Share(props: SharePanelProps) {
  return (
    <Popover label={<Icon of={Share2} />} look="icon" name="Share" title="Share" testId="share">
      {() => <SharePanel {...props} />}
    </Popover>
  );
}

interface SharePanelProps extends Omit<ExportJob, "choice"> {
  inputs: readonly InputFile[];
}

/** The page's address with the names and sizes of its files, for others who have them. */
function linkTo(files: readonly InputFile[]): string {
  settleAddress();
  return `${location.origin}${location.pathname}${location.search}${withFiles(location.hash, textsOf(files))}`;
}

const COPY_FAILED = "The browser blocked copying.";
const HERE = ["127.0.0.1", "localhost", "[::1]"];

/** A link to the current view, a report in one file, and templates for links from tracing tools. */
function SharePanel(job: SharePanelProps) {
  const [said, setSaid] = useState("");
  const opensItself = /[?&](url=|sample)/.test(location.search);
  const files = job.names.map((name) => visible(name, 60)).join(", ");
  const copy = (text: string) => void copyText(text).then((done) => setSaid(done ? "Copied." : COPY_FAILED));
  return (
    <div className={css.share}>
      <section className={css.part}>
        <Button
          look="primary"
          testId="share-copy"
          data-first
          onClick={() => {
            copy(linkTo(opensItself ? [] : job.inputs));
          }}
        >
          <Icon of={Link} size={14} /> Copy link
        </Button>
        {!opensItself && (
          <p className={css.hint}>
            The link needs the same file: send <bdi>{files}</bdi> along.
          </p>
        )}
        {HERE.includes(location.hostname) && <p className={css.hint}>This link works on this machine only.</p>}
      </section>
      <section className={css.part}>
        <Button testId="share-report" onClick={() => void saveReport(job).then(setSaid)}>
          <Icon of={FileText} size={14} /> Save a report
        </Button>
        <p className={css.hint}>An HTML file with every profile of this selection. It opens without the recording.</p>
      </section>
      <Templates onCopy={copy} />
      <p role="status" className={css.said}>
        {said}
      </p>
    </div>
  );
}

function Templates({ onCopy }: { onCopy: (text: string) => void }) {
  const page = `${location.origin}${location.pathname}`;
  const recording = new URLSearchParams(location.search).get("url") ?? RECORDING;
  return (
    <details className={css.templates} data-testid="share-templates">
      <summary>Link from a tracing tool</summary>
      <ul>
        {deepLinks(page, recording).map(({ tool, where, template }) => (
          <li key={tool} className={css.template} data-testid="share-template">
            <strong>{tool}</strong>
            <span className={css.hint}>{where}</span>
            <code>{visible(template, 500)}</code>
            <IconButton icon={Copy} label={`Copy the template for ${tool}`} onClick={() => onCopy(template)} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The report of every profile that has samples of the selection; answers with what to say. */
async function saveReport(job: SharePanelProps): Promise<string> {
  try {
    const { shownFile } = await import("../../parts/export/shown.ts");
    const choice = { ...firstChoice(job.overview.resource), format: "html" as const, all: true };
    const answer = await shownFile({ ...job, choice }, "html");
    if (!answer.ok) return answer.error.message;
    const name = exportName(job.names, choice, job.profile, job.query.filter);
    saveBlob(answer.value.blob, name);
    return `Saved ${name}.`;
  } catch (error) {
    return `The report could not be made: ${error instanceof Error ? error.message : String(error)}`;
  }
}
