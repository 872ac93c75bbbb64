// The JSON API of the server that the page came from.

/** An answer that isn't 200, or none: then `status` is 0. */
export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "");
  }
  const answer = await response.json();
  if (!response.ok) throw new ApiError(response.status, answer.error.message);
  return answer;
}

/** One thing that is asked again and again: a new question cancels the one before. */
export class Asker {
  async post(path, body) {
    if (this.controller) this.controller.abort();
    this.controller = new AbortController();
    return ask(path, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
      signal: this.controller.signal,
    });
  }
}

export const getModel = () => ask("model");
