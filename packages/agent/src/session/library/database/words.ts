// Scripts written without spaces, in which a full-text index would take a sentence for one word.
const scripts = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"];
const unspaced = new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join("")}]`, "u");
const eachUnspaced = new RegExp(unspaced, "gu");

/** A text for the full-text index, stored or searched: each character of such a script becomes a word. */
export const spacedWords = (text: string): string => (unspaced.test(text) ? text.replace(eachUnspaced, " $& ") : text);
