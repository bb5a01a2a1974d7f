/** Uses two elements `<span-flame>`: one shows a recording of the server, the other a file or a prepared tree. */
const recording = document.querySelector("#recording");
const other = document.querySelector("#data");
const selected = document.querySelector("#selected");

recording.addEventListener("select", ({ detail }) => {
  const share = ((100 * detail.value) / detail.total).toFixed(1);
  selected.textContent = `${detail.name || "all"}: ${share} % of ${detail.total} ${detail.unit}`;
});
recording.addEventListener("error", ({ detail }) => {
  selected.textContent = `${detail.code}: ${detail.message}`;
});

document.querySelector("#file").addEventListener("change", ({ currentTarget }) => {
  other.data = currentTarget.files[0];
});

document.querySelector("#tree").addEventListener("click", () => {
  other.unit = "bytes";
  other.data = {
    name: "all",
    children: [
      {
        name: "parse",
        value: 700,
        children: [
          { name: "readNumber", value: 250 },
          { name: "readText", value: 300 },
        ],
      },
      { name: "render", value: 300, children: [{ name: "layOut", value: 120 }] },
    ],
  };
});
