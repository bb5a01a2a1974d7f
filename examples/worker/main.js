/** Lists the hottest functions of the picked recording; a worker reads it. */
import { formatValue } from "spanflame";
import { openInWorker } from "spanflame/worker";

const input = document.querySelector("input");
const status = document.querySelector("[role=status]");
const rows = document.querySelector("tbody");

input.addEventListener("change", async () => {
  try {
    const recording = await openInWorker(input.files[0], {
      onProgress: ({ bytes, total }) => {
        status.textContent = `${Math.round((100 * bytes) / total)} % read`;
      },
    });
    const cpu = recording.select("cpu");
    const { unit } = recording.profiles.find(({ type }) => type === "cpu");
    const [top, otlp] = await Promise.all([cpu.top({ limit: 10 }), cpu.write("otlp")]);
    recording.close();
    rows.replaceChildren(...top.rows.map(({ name, self }) => rowOf(formatValue(self, unit), name)));
    status.replaceChildren(linkTo(new Blob([otlp.bytes]), "profile.otlp"));
  } catch (error) {
    status.textContent = error.message;
  }
});

function rowOf(...texts) {
  const row = document.createElement("tr");
  for (const text of texts) row.insertCell().textContent = text;
  return row;
}

function linkTo(blob, name) {
  const link = document.createElement("a");
  return Object.assign(link, { href: URL.createObjectURL(blob), download: name, textContent: name });
}
