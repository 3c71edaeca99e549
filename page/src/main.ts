// Which page this is: a match, the lobby, or a rulebook being written.

import { LitElement, html } from "lit";
import { customElement } from "lit/decorators.js";
import "./lobby";
import { ownerToken } from "./memory";
import "./table";

@customElement("lw-app")
export class App extends LitElement {
  createRenderRoot(): HTMLElement { return this; }

  render() {
    const written = /^\/write\/([^/]+)$/.exec(location.pathname)?.[1];
    if (written) {
      ownerToken(); // out of the address before anything else happens
      void import("./write");
      return html`<lw-write game=${decodeURIComponent(written)}></lw-write>`;
    }
    const match = /^\/m\/([\w-]+)$/.exec(location.pathname)?.[1];
    return match ? html`<lw-table match=${match}></lw-table>` : html`<lw-lobby></lw-lobby>`;
  }
}
