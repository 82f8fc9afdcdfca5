import { syntaxWork } from "../syntax.ts";

export default syntaxWork("typescript", "TypeScript, parsed natively", { cold: 150, warm: { timesFloor: 1.3 } });
