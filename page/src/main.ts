// Which page this is: a match, or the lobby.

import { LitElement, html } from "lit";
import { customElement } from "lit/decorators.js";
import "./lobby";
import "./table";

@customElement("lw-app")
export class App extends LitElement {
  createRenderRoot(): HTMLElement { return this; }

  render() {
    const match = /^\/m\/([\w-]+)$/.exec(location.pathname)?.[1];
    return match ? html`<lw-table match=${match}></lw-table>` : html`<lw-lobby></lw-lobby>`;
  }
}
