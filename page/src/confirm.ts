// The link that was sent to an e-mail address: whoever opens it confirms the address.

export async function confirmFromAddress(match: string): Promise<string> {
  const given = new URLSearchParams(location.hash.slice(1));
  const found = /^(.+)\.([\w-]+)$/.exec(given.get("confirm") ?? "");
  if (!found) return "";
  given.delete("confirm");
  const rest = given.toString();
  history.replaceState(null, "", location.pathname + (rest ? `#${rest}` : ""));
  const body = JSON.stringify({ match, seat: found[1], code: found[2] });
  const answer = await fetch("/api/confirm", { method: "POST", body });
  return answer.ok ? "Your address is confirmed: you are told of your turns while you are away."
    : ((await answer.json()) as { reason: string }).reason;
}
