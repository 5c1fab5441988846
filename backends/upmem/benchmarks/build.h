// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What several benchmarks are made with. Used by the sources of this folder alone.
#include "backends/upmem/benchmarks/benchmarks.h"

#include <cstring>
#include <random>

namespace pim::upmem {

Result<BenchmarkCase> vectorAdd(const BenchmarkOptions& options);
Result<BenchmarkCase> reduction(const BenchmarkOptions& options);
Result<BenchmarkCase> matrixVector(const BenchmarkOptions& options);
Result<BenchmarkCase> perceptron(const BenchmarkOptions& options);
Result<BenchmarkCase> histogram(const BenchmarkOptions& options);
Result<BenchmarkCase> selection(const BenchmarkOptions& options);
Result<BenchmarkCase> timeSeries(const BenchmarkOptions& options);
Result<BenchmarkCase> breadthFirst(const BenchmarkOptions& options);
Result<BenchmarkCase> prefixScan(const BenchmarkOptions& options);
Result<BenchmarkCase> largest(const BenchmarkOptions& options);
Result<BenchmarkCase> majority(const BenchmarkOptions& options);
Result<BenchmarkCase> similarByProduct(const BenchmarkOptions& options);
Result<BenchmarkCase> similarByDistance(const BenchmarkOptions& options);

inline std::int64_t roundedUp(std::int64_t value, std::int64_t step) {
    return (value + step - 1) / step * step;
}

/// A benchmark while it is made: sizes get their numbers as they are named.
class BenchmarkBuilder {
public:
    BenchmarkBuilder(std::string name, std::string meaning, const BenchmarkOptions& options);

    TaskletCode& code() { return *m_made.code; }
    HostProgram& host() { return m_made.host; }
    TaskletValue size(std::string name, std::int64_t number, std::string meaning);
    TaskletValue number(std::int64_t number) { return code().constant(number); }
    TaskletValue tasklets() const { return m_tasklets; }
    /// Blocks of \p block of all \p bytes, tasklet by tasklet in turn; the last may be shorter.
    /// \param body gets the first byte and the number of bytes.
    void blocks(TaskletValue bytes, TaskletValue block,
                const std::function<void(TaskletValue, TaskletValue)>& body);
    /// Slices of equal size, an input and an array of the DPU.
    TaskletValue slices(const std::string& name, Element type, std::int64_t elements, std::int64_t slice,
                        TaskletValue bytes, const std::string& meaning);

    template <class T>
    void input(const std::string& name, const std::vector<T>& values) {
        m_made.inputs[name] = bytesOfAll(values);
    }
    template <class T>
    void expect(const std::string& name, const std::vector<T>& values) {
        m_made.expected[name] = bytesOfAll(values);
    }
    BenchmarkCase finish() { return std::move(m_made); }

private:
    template <class T>
    static std::vector<std::byte> bytesOfAll(const std::vector<T>& values) {
        std::vector<std::byte> bytes(values.size() * sizeof(T));
        std::memcpy(bytes.data(), values.data(), bytes.size());
        return bytes;
    }

    BenchmarkCase m_made;
    TaskletValue m_tasklets;
};

/// \p count numbers from \p least to \p most; the same on every machine.
template <class T>
std::vector<T> seededNumbers(std::int64_t count, std::int64_t least, std::int64_t most, unsigned seed) {
    std::mt19937_64 random(seed);
    // Without signs: the range of all positive numbers is one more than the largest.
    const std::uint64_t range = std::uint64_t(most) - std::uint64_t(least) + 1;
    std::vector<T> made(static_cast<std::size_t>(count));
    for (T& value : made)
        value =
            static_cast<T>(std::int64_t(std::uint64_t(least) + (range == 0 ? random() : random() % range)));
    return made;
}

} // namespace pim::upmem
