// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// ONNX models nobody would write: any field of any message at random, and every way protobuf has to write the
/// same message down. What they mean is what protobuf's own parser says of them.
#include <filesystem>
#include <random>
#include <string>

namespace pim::test {

/// Bytes of one model. The same seed gives the same bytes. External data lies in files "data.bin" (4096 bytes)
/// and "absent.bin"; the names of sparse tensors, and no others, begin with "sparse ".
/// Fields come in any order and more than once, lists packed, unpacked or in pieces, numbers longer than needed,
/// with fields that nobody knows, known ones in an encoding that is not theirs, and enum values there are not.
/// Left out: a tensor or type given twice, whose parts protobuf would merge.
std::string randomModel(std::mt19937_64& random);

} // namespace pim::test
