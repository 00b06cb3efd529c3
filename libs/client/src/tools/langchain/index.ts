export { type LangChainTool, toLangChainTool, toLangChainTools } from './langchain-tool.js';
