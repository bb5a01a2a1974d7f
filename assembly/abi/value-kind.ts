/** Types of attribute values, in the order of AnyValue's scalar members. */
export const None = 0;
export const Text = 1;
export const Bool = 2;
export const Int = 3;
export const Double = 4;
/** An AnyValue that is no scalar, as bytes of protobuf. */
export const Encoded = 5;
