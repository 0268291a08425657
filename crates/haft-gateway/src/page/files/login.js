// The form for the key, where the gateway needs one.

import { find } from "./dom.js";
import { forgetKey, hasKey, load, useKey } from "./api.js";

// Completes when the gateway accepts the key, or needs none.
export async function login() {
  let error = await refusal();
  if (error !== null) {
    show(error);
    await new Promise((accepted) => {
      find("login-form").addEventListener("submit", async (event) => {
        event.preventDefault();
        useKey(find("token").value.trim());
        error = await refusal();
        if (error === null) accepted();
        else show(error);
      });
    });
  }
  find("token").value = "";
  find("login").hidden = true;
  find("connection").hidden = false;
  find("leave").hidden = !hasKey();
}

export function startLeaving() {
  find("leave").addEventListener("click", () => {
    forgetKey();
    location.reload();
  });
}

// Why the page may not be read; null if it may.
async function refusal() {
  try {
    await load("haft/keys");
    return null;
  } catch (error) {
    const wasTried = hasKey();
    if (error.status === 401 || error.status === 403) forgetKey();
    return error.status === 401 && !wasTried ? "" : error.message;
  }
}

function show(error) {
  find("login").hidden = false;
  find("connection").hidden = true;
  find("login-error").textContent = error;
  find("token").focus();
  find("token").select();
}
