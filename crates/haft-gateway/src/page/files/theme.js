// The switch between the system's colours, light and dark.

import { find } from "./dom.js";

const KEY = "haft-theme";
const THEMES = ["system", "light", "dark"];

export function startTheme() {
  const button = find("theme");
  const show = (theme) => {
    button.textContent = `Theme: ${theme}`;
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  const stored = localStorage.getItem(KEY);
  let theme = THEMES.includes(stored) ? stored : "system";
  show(theme);
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    localStorage.setItem(KEY, theme);
    show(theme);
  });
}
