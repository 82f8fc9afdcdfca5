import { join } from "node:path";
import { turns } from "../lab.ts";
import { toolWork } from "../turn.ts";

export default toolWork(
  `${turns} read turns, 200 lines each`,
  ({ project }) => ({ play: "calls", turns, tool: "read", input: { path: join(project, "src", "file-{n}.ts") } }),
  "value199",
  // The window of an unknown model is guessed, and too small for a whole file of this length.
  "openai/gpt-4.1",
);
