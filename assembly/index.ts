export { resetStore as reset } from "./store/store";
