import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, tool } from "ai";
import { z } from "zod";

const openai = createOpenAI({ baseURL: "http://127.0.0.1:11435/v1", apiKey: "none" });
const get_weather = tool({
  description: "The current weather in a city",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => {
    console.log("get_weather", city);
    return "Rain, 7 degrees";
  },
});
const { text } = await generateText({
  model: openai("qwen3:0.6b"),
  tools: { get_weather },
  stopWhen: isStepCount(5),
  prompt: "What is the weather in Oslo?",
});
console.log(text);
