import { quick } from "../turn.ts";

export default quick("--help");
