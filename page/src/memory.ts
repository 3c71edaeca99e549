// What this browser remembers: the tokens of its seats, by match, and how it likes to read.

const MATCHES = "ludwright.matches";
const TEXT = "ludwright.text";
const LINKS = "ludwright.links.";

export function tokens(): Record<string, string[]> {
  try {
    return JSON.parse(localStorage.getItem(MATCHES) ?? "{}");
  } catch {
    return {};
  }
}

export function remember(match: string, found: string[]): void {
  const all = tokens();
  all[match] = [...new Set([...(all[match] ?? []), ...found])];
  localStorage.setItem(MATCHES, JSON.stringify(all));
}

export function forget(match: string): void {
  const all = tokens();
  delete all[match];
  localStorage.setItem(MATCHES, JSON.stringify(all));
  localStorage.removeItem(LINKS + match);
}

/** The tokens of others' seats, for the links that whoever made the match gives away. */
export function linksOf(match: string): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(LINKS + match) ?? "{}");
  } catch {
    return {};
  }
}

export const keepLinks = (match: string, links: Record<string, string>): void =>
  localStorage.setItem(LINKS + match, JSON.stringify(links));

// A link to a seat carries its token behind the #, which no server and no log ever sees.
export function takeTokensFromAddress(match: string): void {
  const given = new URLSearchParams(location.hash.slice(1));
  const found = given.getAll("seat");
  if (!found.length) return;
  remember(match, found);
  given.delete("seat");
  const rest = given.toString();
  history.replaceState(null, "", location.pathname + (rest ? `#${rest}` : ""));
}

export const prefersText = (): boolean => localStorage.getItem(TEXT) === "yes";
export const preferText = (yes: boolean): void => localStorage.setItem(TEXT, yes ? "yes" : "no");

// Whoever started the server on their own machine may write its rulebooks; the secret stands behind the # once.
const OWNER = "ludwright.owner";

export function ownerToken(): string {
  const given = new URLSearchParams(location.hash.slice(1));
  const found = given.get("owner");
  if (found) {
    localStorage.setItem(OWNER, found);
    history.replaceState(null, "", location.pathname);
  }
  return localStorage.getItem(OWNER) ?? "";
}
