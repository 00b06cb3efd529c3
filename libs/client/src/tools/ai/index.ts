export { type AiTool, toAiTool, toAiTools } from './ai-tool.js';
