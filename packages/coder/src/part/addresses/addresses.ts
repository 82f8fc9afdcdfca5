import type { MakePart } from "../../hall/part.ts";
import { builtinSchemes } from "../../url/builtin.ts";

/** The internal addresses of pith itself. */
export const addresses: MakePart<"tree"> = ({ tree }) => ({
  name: "addresses",
  urls: {
    ...builtinSchemes.handlers,
    history: async () => (await import("../../url/scheme/history.ts")).historyOf(tree),
  },
});
