// Languages written without spaces: a full-text index would take a whole sentence for one word.
const scripts = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"];
const unspaced = new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join("")}]`, "u");
const eachUnspaced = new RegExp(unspaced, "gu");

/**
 * A text as a full-text index should read it, what is kept and what is asked for alike: there every character of such
 * a language is a word.
 */
export const spacedWords = (text: string): string => (unspaced.test(text) ? text.replace(eachUnspaced, " $& ") : text);
