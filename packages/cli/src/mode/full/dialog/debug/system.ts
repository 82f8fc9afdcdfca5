import { systemFacts } from "../../../../report/report.ts";
import type { DialogResult, ScreenContext } from "../../context.ts";
import { openWhole } from "../pager.ts";

/** The machine, the terminal and this program; of variables only their names. */
export const systemDialog = (context: ScreenContext): DialogResult | Promise<DialogResult> =>
  openWhole(context.theme, { title: "system", text: systemFacts(context.io).join("\n") })(context, () => {});
