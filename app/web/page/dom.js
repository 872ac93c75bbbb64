// Making elements. Text is always set as text: nothing that was typed or translated is markup.

/** make("button", parent, {text, class, on: {click}, any: attribute}) */
export function make(name, parent, options = {}) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(options)) {
    if (key === "text") element.textContent = value;
    else if (key === "class") element.className = value;
    else if (key === "on") for (const [event, run] of Object.entries(value)) element.addEventListener(event, run);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined) element.setAttribute(key, value);
  }
  if (parent) parent.append(element);
  return element;
}

/** A word as it stands in a sentence: isolated, so that right-to-left words don't disturb it. */
export function word(text, className = "") {
  const bold = make("b", null, { class: className });
  make("bdi", bold, { text });
  return bold;
}

export function share(text) {
  return make("span", null, { class: "share", text });
}

/** Buttons of which one is on: choices [[value, text], …]. */
export function segment(parent, choices, chosen, onChoose, label) {
  const group = make("div", parent, { class: "segment", role: "group", "aria-label": label });
  for (const [value, text] of choices)
    make("button", group, {
      type: "button", text, class: value === chosen ? "on" : "", "aria-pressed": String(value === chosen),
      "data-value": value, on: { click: () => onChoose(value) },
    });
  return group;
}
