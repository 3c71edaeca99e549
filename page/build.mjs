// Bundles the page into ludwright/table/static, where the server and the wheel find it.
import { build } from "esbuild";
import { copyFile, mkdir, rm } from "node:fs/promises";

const goal = new URL("../ludwright/table/static/", import.meta.url);
await rm(goal, { recursive: true, force: true });
await mkdir(goal, { recursive: true });
await build({
  entryPoints: ["src/main.ts", "src/style.css"],
  absWorkingDir: new URL(".", import.meta.url).pathname,
  outdir: goal.pathname,
  bundle: true,
  splitting: true, // the editor is a file of its own, loaded by the Write page alone
  chunkNames: "[name]-[hash]",
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
});
await copyFile(new URL("src/index.html", import.meta.url), new URL("index.html", goal));
await copyFile(new URL("src/icon.svg", import.meta.url), new URL("icon.svg", goal));
