// What the page says, in both of its languages. {name} is a place for a value; *…* is emphasis.

const WORDS = {
  en: {
    introTitle: "Watch a translator decide where to look",
    intro: "It writes the translation word by word. Before *each* word it looks back at the whole source and shares out its attention: so many per cent to this word, so many to that, *100 % in all*. Those shares are the weights *α* of the step. One row of the picture is one such decision; walk through them on the right, or take hold of a bar and see what the model says if it looks elsewhere.",
    source: "Source", target: "Translation", writeOwn: "Write your own", modelsOwn: "Back to the model's",
    footer: "Everything on this page is computed on this machine by your model; nothing is sent anywhere else.",
    cancel: "Cancel", replace: "Replace", replaceWord: "Replace “{word}” in the source by",
    light: "Light", dark: "Dark", other: "中文", themeTitle: "Colours", languageTitle: "Language",
    parameters: "parameters", logProb: "log p {value}",
    heatmap: "Heat map", ribbons: "Ribbons", beam: "Beam", neighbours: "Neighbours", compare: "Compare", card: "Model",
    pieces: "Pieces", words: "Words", allHeads: "Mean of heads", head: "Head {n}", export: "Save as",
    less: "0 %", more: "100 % of the attention",
    readoutIdle: "Each row is one step: where the model looked to write that word. Point at a cell, or use the arrow keys.",
    readoutOutside: "{source} lies outside the window of this step: {target} was written without looking there.",
    readout: "To write {target}, the model gave {share} of its attention to {source}.",
    readoutRow: "To write {target}, it looked mostly at {list}.",
    readoutColumn: "{source} was looked at mostly to write {list}.",
    heatmapLabel: "Attention heat map. Arrow keys move, Enter opens the step.",
    columnHint: "Click a row to open its step, a cell of the open row to put all of its attention there, a source word to replace it.",
    step: "Step {t} of {n}", before: "Previous step", after: "Next step", play: "Play", pause: "Pause",
    end: "end of sentence",
    says: "To write {word}, the model looks {share} at {source}{rest}.",
    saysRest: ", {share} at {source}", saysEnd: "To decide that the sentence ends, the model looks {share} at {source}{rest}.",
    saysGiven: "You decided where it looks: {share} at {source}{rest}. It then writes {word}.",
    weightsTitle: "Where it looks: {alpha}", weightsHint: "Drag a bar to move its attention: the others make room, since the sum stays 100 %.",
    sum: "sum", uniform: "Look everywhere alike", own: "The model's own α", weightOf: "Attention on {source}",
    nextTitle: "What it could write here", nextHint: "Choose another word, and the translation goes on from there.",
    handTitle: "The sums of step {t}: check one softmax by hand", handIntro: "The decoder's state {s} asks, each source state {h} answers with a score; the softmax turns the scores into shares.",
    sourceWord: "source", score: "score e", exp: "exp(e−max)", weight: "α",
    handSoftmax: "Divide each exp by their sum, {sum}, and you have α. The largest score, {max}, is taken off first: it changes no share and keeps the numbers small.",
    handContext: "The context {a} is the average of the source states, weighted by these shares. First numbers of {width}:",
    handState: "With the decoder's state it becomes {s}, from which the probabilities of the next word follow. First numbers:",
    handNext: "The softmax of one number per vocabulary entry gives {word} {share}, and all the others the rest.",
    handGiven: "These are your weights, not the softmax of the scores.",
    handHeads: "This model has {n} heads, each with a softmax of its own; shown is head {k}. α is their mean.",
    handWindow: "Positions outside the window have no score and get no weight.",
    outside: "outside", noAttention: "This model has no attention (score: none): every step sees the same vector, and there is nothing to show here.",
    forced: "You chose {word} at step {t}; the model went on from there.", given: "At step {t} you decided where it looks.",
    beforeAfter: "Before: {before} · Now: {after}", same: "The translation stays the same: {after}", reset: "Undo",
    replaced: "You replaced {before} by {after} in the source.", showCompare: "Compare both",
    ownTarget: "Your translation has log p {own}; the model's own has {best}.",
    cut: "The source is long: only its first {n} tokens are read.", unfinished: "No end was found within the length limit.",
    showDropped: "Show what was dropped", beamHint: "Each column is one step. The search keeps the {n} best beginnings (solid), and drops the others (dashed). Click a node to fold it. The thick line is the translation.",
    beamNode: "{text}: log p {value}",
    neighbourNone: "This model has no sample of training states. Train with training.neighbours above 0 and the sentences will be here.",
    neighbourHint: "The training sentences in which the model was in the most similar state. Choose a word:",
    kindEncoder: "Encoder h", kindDecoder: "Decoder s", kindContext: "Context a",
    neighbourReadout: "{word}: nearest of {n} training states by cosine",
    planeTitle: "The sentence's path among them", planeHint: "Two main directions (PCA) hold {share} of the variance. Grey: training states; orange: the nearest.",
    compareOther: "Another sentence", compareModels: "Another model", compareChange: "Before and after",
    compareHint: "Start with two models, `softalign serve A B`, to compare them on one sentence.",
    left: "Left", right: "Right", compareTyping: "Type a second sentence to compare with the first:",
    nothingChanged: "Nothing was changed yet: drag a bar, choose another word, or replace a source word.",
    weightsSize: "weights", sourcePieces: "source pieces", targetPieces: "target pieces", attentionScore: "attention",
    bestScore: "best validation", epochs: "epochs", steps: "updates", curves: "Training", corpus: "Corpus", settings: "Settings", noLog: "There is no log.jsonl beside this model.",
    loss: "Loss", perplexity: "Perplexity", bleu: "BLEU, chrF", rate: "Learning rate", norm: "Gradient norm", speed: "Tokens per second", training: "training", validation: "validation", stepName: "step",
    offline: "The server doesn't answer. Is it still running?",
  },
  zh: {
    introTitle: "看翻译模型如何决定看向哪里",
    intro: "模型逐词写出译文。写*每一个*词之前，它都会回看整个原文，并分配自己的注意力：这个词百分之几，那个词百分之几，*总和是 100 %*。这些份额就是这一步的权重 *α*。图中的一行就是一次这样的决定；可以在旁边一步一步地走，也可以拖动一根条，看看模型看向别处时会说什么。",
    source: "原文", target: "译文", writeOwn: "自己写译文", modelsOwn: "回到模型的译文",
    footer: "这一页上的一切都由您的模型在本机计算，不会向任何地方发送数据。",
    cancel: "取消", replace: "替换", replaceWord: "把原文中的“{word}”替换为",
    light: "浅色", dark: "深色", other: "English", themeTitle: "颜色", languageTitle: "语言",
    parameters: "个参数", logProb: "log p {value}",
    heatmap: "热力图", ribbons: "连线", beam: "束搜索", neighbours: "近邻", compare: "比较", card: "模型",
    pieces: "子词", words: "整词", allHeads: "各头平均", head: "第 {n} 头", export: "保存为",
    less: "0 %", more: "全部注意力 100 %",
    readoutIdle: "每一行是一步：写这个词时模型看向哪里。把指针移到格子上，或使用方向键。",
    readoutOutside: "{source} 在这一步的窗口之外：写 {target} 时没有看那里。",
    readout: "写 {target} 时，模型把 {share} 的注意力放在 {source} 上。",
    readoutRow: "写 {target} 时，主要看 {list}。",
    readoutColumn: "{source} 主要在写 {list} 时被看到。",
    heatmapLabel: "注意力热力图。方向键移动，回车打开这一步。",
    columnHint: "点击一行可打开这一步；点击已打开那一行的格子，可把全部注意力放在那里；点击原文词可替换它。",
    step: "第 {t} 步，共 {n} 步", before: "上一步", after: "下一步", play: "播放", pause: "暂停",
    end: "句子结束",
    says: "写 {word} 时，模型有 {share} 看向 {source}{rest}。",
    saysRest: "，{share} 看向 {source}", saysEnd: "决定句子结束时，模型有 {share} 看向 {source}{rest}。",
    saysGiven: "由您决定看向哪里：{share} 看向 {source}{rest}。于是模型写出 {word}。",
    weightsTitle: "看向哪里：{alpha}", weightsHint: "拖动一根条来移动注意力：其余的会让出位置，因为总和始终是 100 %。",
    sum: "总和", uniform: "平均看向各处", own: "模型自己的 α", weightOf: "对“{source}”的注意力",
    nextTitle: "这里可以写什么", nextHint: "选择另一个词，译文就从那里继续。",
    handTitle: "第 {t} 步的算式：亲手验算一次 softmax", handIntro: "解码器状态 {s} 发问，每个原文状态 {h} 以一个分数回答；softmax 把分数变成份额。",
    sourceWord: "原文", score: "分数 e", exp: "exp(e−max)", weight: "α",
    handSoftmax: "把每个 exp 除以它们的总和 {sum}，就得到 α。事先减去最大的分数 {max}：份额不变，数字却小得多。",
    handContext: "上下文 {a} 是原文状态按这些份额的加权平均。{width} 个数中的前几个：",
    handState: "它与解码器状态一起变成 {s}，由此得到下一个词的概率。前几个数：",
    handNext: "对词表中每个词的一个数做 softmax，{word} 得到 {share}，其余的归其他所有词。",
    handGiven: "这些是您给的权重，不是分数的 softmax。",
    handHeads: "这个模型有 {n} 个头，每个头有自己的 softmax；这里显示第 {k} 头。α 是它们的平均。",
    handWindow: "窗口之外的位置没有分数，也没有权重。",
    outside: "窗外", noAttention: "这个模型没有注意力（score: none）：每一步看到的都是同一个向量，这里没有可显示的内容。",
    forced: "您在第 {t} 步选择了 {word}，模型从那里继续。", given: "在第 {t} 步由您决定看向哪里。",
    beforeAfter: "之前：{before} · 现在：{after}", same: "译文不变：{after}", reset: "撤销",
    replaced: "您在原文中把 {before} 换成了 {after}。", showCompare: "对比两者",
    ownTarget: "您的译文 log p 为 {own}；模型自己的为 {best}。",
    cut: "原文很长：只读取前 {n} 个词元。", unfinished: "在长度限制内没有找到句子的结尾。",
    showDropped: "显示被放弃的", beamHint: "每一列是一步。搜索保留最好的 {n} 个开头（实线），放弃其余的（虚线）。点击节点可以折叠。粗线就是译文。",
    beamNode: "{text}：log p {value}",
    neighbourNone: "这个模型没有训练状态样本。训练时把 training.neighbours 设为大于 0，这里就会出现句子。",
    neighbourHint: "模型处于最相似状态的训练句子。请选择一个词：",
    kindEncoder: "编码器 h", kindDecoder: "解码器 s", kindContext: "上下文 a",
    neighbourReadout: "{word}：在 {n} 个训练状态中按余弦最近的",
    planeTitle: "句子在其中的路径", planeHint: "两个主方向（PCA）包含 {share} 的方差。灰色：训练状态；橙色：最近的。",
    compareOther: "另一个句子", compareModels: "另一个模型", compareChange: "改动前后",
    compareHint: "用两个模型启动（softalign serve A B），就可以在同一个句子上比较它们。",
    left: "左", right: "右", compareTyping: "输入第二个句子与第一个比较：",
    nothingChanged: "还没有任何改动：拖动一根条、选择另一个词，或替换一个原文词。",
    weightsSize: "权重", sourcePieces: "源端子词", targetPieces: "目标端子词", attentionScore: "注意力",
    bestScore: "最佳验证", epochs: "轮", steps: "次更新", curves: "训练过程", corpus: "语料", settings: "设置", noLog: "这个模型旁边没有 log.jsonl。",
    loss: "损失", perplexity: "困惑度", bleu: "BLEU、chrF", rate: "学习率", norm: "梯度范数", speed: "每秒词元数", training: "训练", validation: "验证", stepName: "步",
    offline: "服务器没有回应。它还在运行吗？",
  },
};

let language = "en";

/** The language to start with: chosen before, else the browser's. */
export function firstLanguage() {
  const chosen = localStorage.getItem("language");
  if (WORDS[chosen]) return chosen;
  return (navigator.languages || [navigator.language]).some((x) => /^zh\b/i.test(x)) &&
    /^zh\b/i.test(navigator.language) ? "zh" : "en";
}

export function setLanguage(name) {
  language = name;
  document.documentElement.lang = name === "zh" ? "zh-Hans" : "en";
}

export function currentLanguage() {
  return language;
}

/** The text under `key`, with its values put in. */
export function say(key, values = {}) {
  const text = WORDS[language][key];
  if (text === undefined) throw new Error(`no words for ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name])).replaceAll("*", "");
}

/** The same as elements in `parent`: emphasis and values are marked up. A value is a text, a node,
 * or a list of them. */
export function sayInto(parent, key, values = {}) {
  parent.textContent = "";
  for (const part of WORDS[language][key].split(/(\{\w+\}|\*[^*]+\*)/)) {
    if (/^\{\w+\}$/.test(part)) {
      const value = values[part.slice(1, -1)];
      for (const item of Array.isArray(value) ? value : [value])
        parent.append(item instanceof Node ? item : String(item));
    } else if (/^\*.+\*$/.test(part)) {
      const bold = document.createElement("b");
      bold.textContent = part.slice(1, -1);
      parent.append(bold);
    } else if (part) {
      parent.append(part);
    }
  }
  return parent;
}

export const languagesAreComplete = () =>
  Object.keys(WORDS.en).every((key) => key in WORDS.zh) && Object.keys(WORDS.zh).every((key) => key in WORDS.en);
