import { syntaxWork } from "../syntax.ts";

export default syntaxWork("python", "Python, parsed through wasm", { cold: 450, warm: { atMost: 100 } });
