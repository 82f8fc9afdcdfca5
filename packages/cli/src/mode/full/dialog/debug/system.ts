import { systemFacts } from "../../../../report/report.ts";
import type { Opening, Seat } from "../../context.ts";
import { openWhole } from "../pager.ts";

/** The machine, the terminal and this program; of variables only their names. */
export const systemDialog = (seat: Seat): Opening | Promise<Opening> =>
  openWhole(seat.theme, { title: "system", text: systemFacts(seat.io).join("\n") })(seat, () => {});
